// The graph of folders behind a graph of files: which folder imports which.
import { dirname } from 'node:path';

/** Files directly in these wire the rest together; each counts as a folder of its own. */
const COMPOSITION_ROOTS: ReadonlySet<string> = new Set(['worker', 'web', 'dev', 'lab']);

export function folderGraph(
  files: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const graph = new Map<string, Set<string>>();
  for (const [path, targets] of files) {
    const folder = folderOf(path);
    const imported = graph.get(folder) ?? new Set();
    graph.set(folder, imported);
    for (const target of targets) if (folderOf(target) !== folder) imported.add(folderOf(target));
  }
  return new Map([...graph].map(([folder, imported]) => [folder, [...imported]]));
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return COMPOSITION_ROOTS.has(folder) ? path : folder;
}
