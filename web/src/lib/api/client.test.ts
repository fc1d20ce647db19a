import { afterEach, expect, it, vi } from "vitest";
import { reportReachability } from "../state/connectivity.svelte";
import { createMatch, fetchAnimation, fetchPlayer, logOut } from "./client";
import { ApiError } from "./errors";

vi.mock("../state/preferences.svelte", () => ({ preferences: { language: "en" } }));
vi.mock("../state/connectivity.svelte", () => ({ CACHED_HEADER: "X-Ropewalk-Kept", reportReachability: vi.fn() }));

const respond = (body: BodyInit, init: ResponseInit = {}) => {
  const fetching = vi.fn(async (_url: string, _init: RequestInit) => new Response(body, init));
  vi.stubGlobal("fetch", fetching);
  return fetching;
};
const failure = async (attempt: Promise<unknown>): Promise<ApiError> => {
  const error = await attempt.catch((raised: unknown) => raised);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.mocked(reportReachability).mockClear();
});

it("a route gets its parameters encoded", async () => {
  const fetching = respond("{}");
  await fetchPlayer("Ada/Lovelace");
  expect(fetching.mock.calls[0]![0]).toBe("/api/players/Ada%2FLovelace");
  expect(fetching.mock.calls[0]![1]).toMatchObject({ method: "GET", headers: { "X-Ropewalk": "1" }, body: null });
});

it("a match is created without clocks and unrated by default", async () => {
  const fetching = respond('{"match": {}, "invitation": null}', { status: 201 });
  await createMatch({ spec: "x", opponent: { kind: "self" } });
  const { method, headers, body } = fetching.mock.calls[0]![1];
  expect([method, headers]).toEqual(["POST", { "X-Ropewalk": "1", "Content-Type": "application/json" }]);
  expect(JSON.parse(body as string)).toEqual({
    spec: "x",
    opponent: { kind: "self" },
    clock: { kind: "none" },
    rated: false,
  });
});

it("an error has the code, message and details of the server", async () => {
  respond('{"code": "too-many", "message": "wait", "details": {"retry_after": 2.5}}', { status: 429 });
  const error = await failure(logOut());
  expect([error.code, error.message, error.details]).toEqual(["too-many", "wait", { retry_after: 2.5 }]);
});

it("an error that is not JSON is an internal one", async () => {
  respond("<html>", { status: 502, statusText: "Bad Gateway" });
  const error = await failure(fetchAnimation("abc"));
  expect([error.code, error.message, error.details]).toEqual(["internal", "Bad Gateway", {}]);
});

it("a response tells whether the server itself has answered", async () => {
  respond("{}");
  await fetchPlayer("a");
  expect(reportReachability).toHaveBeenLastCalledWith(true);
  respond("{}", { headers: { "X-Ropewalk-Kept": "1" } });
  await fetchPlayer("a");
  expect(reportReachability).toHaveBeenLastCalledWith(false);
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  expect((await failure(fetchPlayer("a"))).code).toBe("offline");
  expect(reportReachability).toHaveBeenLastCalledWith(false);
});
