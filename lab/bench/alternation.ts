// Loads that take turns of a few milliseconds: whatever the machine does in between meets all of them alike.

/** Long enough for several requests of each connection. */
const TURN_MS = 15;

interface Load {
  readonly connections: number;
  readonly waiting: (() => void)[];
  /** In which it was its turn. */
  seconds: number;
}

/** One load's part. */
export interface Share {
  /** Calls `send` when it is the load's turn. */
  readonly take: (send: () => void) => void;
  /** Nobody waits any longer. */
  readonly end: () => void;
  /** In which it was the load's turn. */
  readonly seconds: () => number;
}

/** @param connections of each load, all of which must come back for the next turn */
export function alternate(connections: readonly number[]): Share[] {
  const loads = connections.map((count): Load => ({ connections: count, waiting: [], seconds: 0 }));
  let current = 0;
  let since = performance.now();
  const release = (load: Load | undefined) => {
    for (const send of load?.waiting.splice(0) ?? []) send();
  };
  const passed = () => (performance.now() - since) / 1000;
  const next = (load: Load) => {
    load.seconds += passed();
    since = performance.now();
    current = (current + 1) % loads.length;
    release(loads[current]);
  };
  return loads.map((load, index) => ({
    take: (send) => {
      if (index === current && performance.now() < since + TURN_MS) return send();
      load.waiting.push(send);
      // All of them have their responses, so nothing of this load runs in another's turn.
      if (index === current && load.waiting.length === load.connections) next(load);
    },
    end: () => release(load),
    seconds: () => load.seconds + (index === current ? passed() : 0),
  }));
}
