/** A paragraph of the rules in short, in our own words. */
export interface Rule {
  heading: string;
  text: string;
  /** A decision of ours, where the designers' rule sheet leaves a question open. */
  ruling?: boolean;
}
