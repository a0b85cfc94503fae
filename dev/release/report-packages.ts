// What a release says about the packages that it contains. It needs the registry for all but the first; where that does not answer, it says so.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNpm } from '../tools/run-npm.ts';
import { root } from '../tools/run-tool.ts';

/** A line for each finding. */
export async function reportPackages(): Promise<string[]> {
  const [behind, audit] = await Promise.all([reportBehind(), reportAudit()]);
  return [...preReleases(readFileSync(join(root, 'package.json'), 'utf8')), ...behind, ...audit];
}

/** @param manifest the text of a package.json */
export function preReleases(manifest: string): string[] {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(manifest) as Record<
    string,
    Record<string, string>
  >;
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, range]) => /\d-[0-9a-z]/i.test(range))
    .map(([name, range]) => `pre-release   ${name} ${range}`);
}

interface Outdated {
  readonly current?: string;
  readonly latest: string;
}

async function reportBehind(): Promise<string[]> {
  const outdated = (await askNpm('outdated')) as Record<string, Outdated> | null;
  if (outdated === null) return ['The registry does not say which packages are behind their latest patch.'];
  const lines = await Promise.all(
    Object.entries(outdated).map(async ([name, { current, latest }]) => {
      if (current === undefined || current === latest) return [];
      const [major, minor, patch] = current.split('.').map(Number);
      const versions = [await askNpm('view', `${name}@~${major}.${minor}.0`, 'version')].flat();
      const newest = Math.max(...versions.map((version) => Number(String(version).split('.')[2]) || 0));
      return newest > (patch ?? 0)
        ? [`behind        ${name} ${current}: its latest patch is ${major}.${minor}.${newest}`]
        : [];
    }),
  );
  return lines.flat();
}

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

async function reportAudit(): Promise<string[]> {
  const { vulnerabilities } = ((await askNpm('audit')) ?? {}) as Audit;
  if (vulnerabilities === undefined) return ['The registry does not answer npm audit.'];
  return Object.entries(vulnerabilities).map(
    ([name, { severity, range }]) => `vulnerable    ${name} ${range}: ${severity}`,
  );
}

/** What an npm command answers as JSON; null if it answers nothing of use. Its exit code says what it found. */
async function askNpm(command: string, ...args: readonly string[]): Promise<unknown> {
  const options = ['--json', '--fetch-retries', '1', '--fetch-timeout', '20000'];
  const { output } = await readNpm(command, ...args, ...options);
  try {
    const answer = JSON.parse(output === '' ? '{}' : output) as { error?: unknown };
    return answer.error === undefined ? answer : null;
  } catch {
    return null;
  }
}
