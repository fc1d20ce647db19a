/** Letters as textures. */
import { CanvasTexture, SRGBColorSpace } from "three";

/** A text in one colour on a transparent square. */
export function letterTexture(text: string, ink: string, weight = 700): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 128;
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = ink;
  pen.font = `${weight} ${text.length > 2 ? 58 : text.length > 1 ? 84 : 92}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, 64, 68);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}
