/**
 * Reads the code of workflows inside a dynamic worker: its time is the dynamic worker's, never that of the isolate that answers checks.
 * dev/build/build-code-reader.mjs bundles this with the parser into ../built-reader.js, as text. Nothing of the Worker imports this folder.
 */
import { WorkerEntrypoint } from 'cloudflare:workers';
import { readCode } from './read-code.ts';

export class CodeReader extends WorkerEntrypoint {
  /** @returns a CodeReading as JSON */
  read(compiled: string): string {
    return JSON.stringify(readCode(compiled));
  }
}
