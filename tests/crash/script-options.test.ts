// Every npm script refuses what it does not know, in one sentence, before anything happens.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

test.each(Object.entries(scripts))(
  '%s',
  async (name, script) => {
    const [, file = '', ...own] = /^node dev\/bootstrap\.mjs (\S+)(?: (.+))?$/.exec(script) ?? [];
    const args = [...own.filter((each) => each !== undefined), '--no-such-option'];
    const child = spawn(process.execPath, [join(root, 'dev/bootstrap.mjs'), file, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += String(chunk);
      });
    }
    const code = await new Promise((ended) => child.once('close', ended));
    const command = { start: 'npm start', dev: 'npm start', test: 'npm test' }[name] ?? `npm run ${name}`;
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(new RegExp(`^${command} has no option --no-such-option\\..*\\n$`)),
    });
  },
  120_000,
);
