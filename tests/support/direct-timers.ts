// Setup file of the worker project. Its pool looks up in a stack who sets each timer, for the sake of Vitest's own, which have no delay.
// Timers with one go straight to the runtime: almost every call of an object sets one, which is cleared when the object answers.
const { setTimeout: ofRuntime } = Object.getPrototypeOf(globalThis) as typeof globalThis;
const ofPool = globalThis.setTimeout;

// Files share an isolate.
if (ofPool.name !== 'direct' && ofRuntime !== undefined) {
  const direct = (...given: Parameters<typeof setTimeout>) =>
    (given[1] ? ofRuntime : ofPool).apply(globalThis, given);
  globalThis.setTimeout = direct as typeof setTimeout;
}
