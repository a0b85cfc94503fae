/** How long polls wait: bounds for what hangs. A busy machine is slow, not wrong, and no test asserts a time. In milliseconds. */
export const PATIENCE = { timeout: 30_000, interval: 50 };
