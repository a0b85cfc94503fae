// The sources of a release, from git, in a folder of their own with the packages that are installed here.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/run-tool.ts';

/** Whether the repository has the commit. A shallow clone that lacks it asks where it was cloned from. */
export function hasCommit(commit: string): boolean {
  const isThere = () => succeeds(['cat-file', '-e', `${commit}^{commit}`]);
  return (
    isThere() || (isShallow() && succeeds(['fetch', '--quiet', '--depth=1', 'origin', commit]) && isThere())
  );
}

/** A clone without the full history, or a copy of the files without any. */
export function isShallow(): boolean {
  try {
    const said = execFileSync('git', ['rev-parse', '--is-shallow-repository'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return said.trim() === 'true';
  } catch {
    return true;
  }
}

function succeeds(command: readonly string[]): boolean {
  try {
    execFileSync('git', command, { cwd: root, stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}

/** @returns the folder */
export function extractSources(commit: string, folder: string): string {
  const sources = join(folder, 'release');
  const archive = join(folder, 'release.tar');
  mkdirSync(sources);
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: root });
  execFileSync('tar', ['-xf', archive, '-C', sources]);
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'), 'junction');
  return sources;
}
