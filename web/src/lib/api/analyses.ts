/** Requests of the analysis board and of the pages about what is known. */
import type { MoveTree } from "../tree/moveTree";
import { request, send } from "./client";
import type { AnalysisTree, EditRequest, PositionRequest } from "./types";

const plain = (tree: MoveTree): AnalysisTree => tree as AnalysisTree;

export const fetchAnalyses = () => request("get", "/api/analyses");
export const fetchAnalysis = (id: string) => request("get", "/api/analyses/{analysis_id}", { path: { analysis_id: id } });
export const createAnalysis = (name: string, tree: MoveTree) =>
  request("post", "/api/analyses", { body: { name, tree: plain(tree) } });
/** Replace an analysis; fails with the code `stale-version` if it was changed elsewhere. */
export const updateAnalysis = (id: string, version: number, name: string, tree: MoveTree) =>
  request("put", "/api/analyses/{analysis_id}", { path: { analysis_id: id }, body: { name, tree: plain(tree), version } });
export const deleteAnalysis = (id: string) =>
  request("delete", "/api/analyses/{analysis_id}", { path: { analysis_id: id } });

/** The tree of a record in SGF or JSON, or of a position's text. */
export const readRecord = (text: string, spec: string) => request("post", "/api/records/read", { body: { text, spec } });
/** A tree as SGF. */
export const writeRecord = async (name: string, tree: MoveTree): Promise<Blob> =>
  (await send("post", "/api/records/tree.sgf", { body: { name, tree } })).blob();
export const fetchLineAnimation = async (line: PositionRequest): Promise<Blob> =>
  (await send("post", "/api/positions/animation.gif", { body: line })).blob();
export const editPosition = (change: EditRequest) => request("post", "/api/positions/edit", { body: change });
export const fetchKnown = (game: string) => request("get", "/api/known/{game}", { path: { game } });
