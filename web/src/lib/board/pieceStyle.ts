/** The paints of pieces: one class a colour, whose body, outline and ink are set in the style sheet. */

/** A colour's name as part of a class or variable. */
export const toClassName = (colour: string): string => colour.replaceAll(" ", "-");
