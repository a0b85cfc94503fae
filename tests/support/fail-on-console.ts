// A setup file of every Vitest project: a test fails when something was written to console.error or console.warn that
// it did not announce with expectConsole. In workerd this covers the Worker and its objects too: they share the isolate.
import { afterEach, beforeEach } from 'vitest';
import { recordConsole, settleConsole } from './expect-console.ts';

console.error = (...values: unknown[]) => recordConsole('error', values);
console.warn = (...values: unknown[]) => recordConsole('warn', values);

let early: string[] = [];

beforeEach(() => {
  early = settleConsole();
});

afterEach(() => {
  const problems = [...early.map((line) => `before this test began: ${line}`), ...settleConsole()];
  if (problems.length > 0) throw new Error(`Unexpected console output.\n${problems.join('\n')}`);
});
