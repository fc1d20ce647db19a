/** The flat map as an SVG file that looks the same anywhere: what the style sheet says is written into the elements. */
const KEPT = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linejoin",
  "opacity",
  "font",
  "text-anchor",
  "dominant-baseline",
  "text-transform",
];

/** What only a visitor of the page needs: hints, selections, refusals, previews and the engine's colours. */
const HINTS = ".touch, .choosable, .picked, .refused, .reason, .cursor, .ghost, .cross, .heat";

export function exportSvg(drawn: SVGSVGElement): string {
  const copy = copyWithStyles(drawn);
  for (const hint of copy.querySelectorAll(HINTS)) hint.remove();
  const definitions = document.querySelector<SVGElement>(".defs defs");
  if (definitions) copy.prepend(copyWithStyles(definitions));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

function copyWithStyles<T extends SVGElement>(shown: T): T {
  const copy = shown.cloneNode(true) as T;
  const originals = shown.querySelectorAll<SVGElement>("*");
  copy.querySelectorAll<SVGElement>("*").forEach((element, number) => {
    const style = getComputedStyle(originals[number]!);
    for (const property of KEPT) element.style.setProperty(property, style.getPropertyValue(property));
  });
  return copy;
}

/** Hands something over as a file. */
export function downloadFile(contents: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(contents);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
