// The faults inside the Worker: set by the run, applied by the chaos worker. Rates are probabilities per call or message.

export interface WorkerFaults {
  readonly seed: number;
  /** How far the Worker's clock is ahead of the machine's, in milliseconds. It only rises. */
  readonly clockAheadMs: number;
  /** Data locations that objects cannot reach. */
  readonly cutLocations: readonly string[];
  /** The cut locations are out of the Worker's reach too. */
  readonly isCutFromWorker: boolean;
  /** What is cut off never answers; otherwise calls of it fail. */
  readonly isCutSilent: boolean;
  readonly callFails: number;
  readonly answerLost: number;
  readonly callDoubled: number;
  readonly callDelayed: number;
  /** The object never answers. */
  readonly callSilent: number;
  /** The object has too many calls. */
  readonly callOverloaded: number;
  readonly databaseSilent: number;
  readonly databaseOverloaded: number;
  readonly messageDropped: number;
  readonly messageDoubled: number;
  readonly messageDelayed: number;
  readonly batchReordered: number;
  /** Data locations that publications do not reach. */
  readonly unpublished: readonly string[];
  /** Nothing is due, so that objects can fall asleep. */
  readonly areObjectsIdle: boolean;
}

/** What the Worker has seen. */
export interface Observed {
  /** Calls and alarms that took longer than all their deadlines allow, since this was last read. */
  readonly late: readonly string[];
  /** How often a ledger was built again since the Worker started. */
  readonly ledgersWoken: number;
}

export const NO_FAULTS: WorkerFaults = {
  seed: 0,
  clockAheadMs: 0,
  cutLocations: [],
  isCutFromWorker: false,
  isCutSilent: false,
  callFails: 0,
  answerLost: 0,
  callDoubled: 0,
  callDelayed: 0,
  callSilent: 0,
  callOverloaded: 0,
  databaseSilent: 0,
  databaseOverloaded: 0,
  messageDropped: 0,
  messageDoubled: 0,
  messageDelayed: 0,
  batchReordered: 0,
  unpublished: [],
  areObjectsIdle: false,
};
