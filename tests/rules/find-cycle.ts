// Finds a circle in a graph of imports.

/** The nodes of one circle, its first node again at the end; null when there is none. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const finished = new Set<string>();

  function visit(node: string, trail: readonly string[]): string[] | null {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (finished.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle !== null) return cycle;
    }
    finished.add(node);
    return null;
  }

  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== null) return cycle;
  }
  return null;
}
