import { expect, it } from "vitest";
import { formatEmbedCode, parseEmbedAddress } from "./address";

const NONE = { match: null, line: null, ply: null, language: null, theme: null };

it("an address names a match, and where to begin", () => {
  expect(parseEmbedAddress("/embed/match/abc-1", "")).toEqual({ ...NONE, match: "abc-1" });
  expect(parseEmbedAddress("/embed/match/abc/12", "?language=de&theme=dark")).toEqual({
    ...NONE,
    match: "abc",
    ply: 12,
    language: "de",
    theme: "dark",
  });
});

it("an address names a line of moves", () => {
  expect(parseEmbedAddress("/embed/position", "?spec=tether-5&moves=c3+b2&ply=1")).toEqual({
    ...NONE,
    line: { spec: "tether-5", position: null, moves: ["c3", "b2"] },
    ply: 1,
  });
  expect(parseEmbedAddress("/embed/position", "?spec=liger&position=3/3%20red").line?.position).toBe("3/3 red");
});

it("what is wrong is ignored", () => {
  expect(parseEmbedAddress("/embed/position", "")).toEqual(NONE);
  expect(parseEmbedAddress("/embed/match/abc/x", "?language=fr&theme=pink")).toEqual({ ...NONE, match: "abc" });
});

it("the title of a frame cannot leave its attribute", () => {
  const code = formatEmbedCode("https://example.org", "abc", '"><script>');
  expect(code).toContain('title="&quot;&gt;&lt;script&gt;"');
  expect(code).toContain('src="https://example.org/embed/match/abc"');
});
