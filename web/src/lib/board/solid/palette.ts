/** The colours of the style sheet for three.js, so that the map and the board in three dimensions look alike. */
import { Color } from "three";
import { toClassName } from "../pieceStyle";

export interface Paint {
  body: Color;
  outline: Color;
  ink: string;
}

/** Reads colours as an element with these classes has them; call again when the theme changes. */
export class Palette {
  private readonly probe: HTMLElement;
  private known = new Map<string, string>();

  constructor(host: HTMLElement) {
    this.probe = document.createElement("span");
    this.probe.hidden = true;
    host.append(this.probe);
  }

  text(variable: string, paint = ""): string {
    const key = `${paint} ${variable}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.probe.className = paint;
    this.probe.style.color = `var(--${variable})`;
    const found = getComputedStyle(this.probe).color;
    this.known.set(key, found);
    return found;
  }

  colour(variable: string, paint = ""): Color {
    return new Color().setStyle(this.text(variable, paint));
  }

  paint(colour: string): Paint {
    const paint = toClassName(colour);
    return { body: this.colour("body", paint), outline: this.colour("outline", paint), ink: this.text("ink-on", paint) };
  }

  clear(): void {
    this.known = new Map();
  }

  remove(): void {
    this.probe.remove();
  }
}
