import { expect, it } from "vitest";
import { analysisUrl, parseAnalysisUrl } from "./analysisUrl";

it("reads what it writes", () => {
  const address = {
    spec: "laocoon-weave",
    position: "(o),y,1 white move white:y",
    moves: ["d4-e5", "/b2", "~a1", "Ua1'", "c3=b4"],
    saved: "abc",
  };
  const url = analysisUrl(address);
  expect(url.startsWith("/analysis?spec=laocoon-weave&position=")).toBe(true);
  expect(parseAnalysisUrl(url.split("?")[1]!)).toEqual(address);
});

it("leaves out what is not there", () => {
  expect(analysisUrl({ spec: "tether-5", position: null, moves: [], saved: null })).toBe("/analysis?spec=tether-5");
  expect(parseAnalysisUrl("")).toEqual({ spec: null, position: null, moves: [], saved: null });
});
