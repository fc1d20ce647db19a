/** The flat map as an SVG file that looks the same anywhere: what the style sheet says is written into the elements. */
import type { MapLayout } from "../../api/types";

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

/** The flat map as SVG, perhaps with a size in pixels. */
export function exportSvg(drawn: SVGSVGElement, size?: Pick<MapLayout["box"], "width" | "height">): string {
  const copy = copyWithStyles(drawn);
  if (size) for (const [name, pixels] of Object.entries(size)) copy.setAttribute(name, String(pixels));
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

const PNG_PIXELS = 1200; // of the longer side

/** The flat map as a PNG file, without a transparent ground. */
export async function drawPng(drawn: SVGSVGElement): Promise<Blob> {
  const { width, height } = drawn.viewBox.baseVal;
  const scale = PNG_PIXELS / Math.max(width, height);
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(exportSvg(drawn, size))}`;
  await picture.decode();
  const canvas = Object.assign(document.createElement("canvas"), size);
  const brush = canvas.getContext("2d")!;
  brush.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be drawn"))), "image/png"),
  );
}

/** Hands something over as a file. */
export function downloadFile(contents: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(contents);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
