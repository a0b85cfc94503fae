// The sources of a release, from git, in a folder of their own with the packages that are installed here.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/run-tool.ts';

/** Whether the repository has the commit: a shallow clone lacks earlier ones. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
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
