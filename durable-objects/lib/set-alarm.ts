/**
 * Sets an object's alarm. While an alarm runs, another one for now or for the past is lost in a local runtime and may come much
 * later in production (https://github.com/cloudflare/workerd/issues/6866), so the earliest one is a millisecond away.
 * @param at epoch milliseconds
 */
export function setAlarm(storage: Pick<DurableObjectStorage, 'setAlarm'>, at: number): Promise<void> {
  return storage.setAlarm(Math.max(Math.ceil(at), Date.now() + 1));
}
