// What a release writes down: a line in docs/releases.md, a date in CHANGELOG.md, and its number in four files. On texts alone.
import { StartError } from '../tools/start-error.ts';

export interface Release {
  readonly version: string;
  /** 2026-11-29 */
  readonly date: string;
  /** 40 hex digits: the sources that the release has. */
  readonly commit: string;
}

const ROW = /^\| (\d+\.\d+\.\d+) \| (\d{4}-\d{2}-\d{2}) \| `([0-9a-f]{40})` \|$/;
const VERSION = /^\d+\.\d+\.\d+$/;

/** Of docs/releases.md, newest first. */
export function readReleases(page: string): Release[] {
  return page.split('\n').flatMap((line) => {
    const [, version, date, commit] = ROW.exec(line) ?? [];
    return version && date && commit ? [{ version, date, commit }] : [];
  });
}

export function addRelease(page: string, { version, date, commit }: Release): string {
  return page.replace(/^\|---.*\n/m, (head) => `${head}| ${version} | ${date} | \`${commit}\` |\n`);
}

/**
 * Dates the changelog's newest section.
 *
 * @throws {StartError} if it is of another version, has a date already, or is empty
 */
export function closeSection(changelog: string, version: string, date: string): string {
  const [section = '', heading = '', entries = ''] =
    /^## (.*)\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  if (heading !== `${version}, not released yet`)
    throw new StartError(
      `CHANGELOG.md begins with "## ${heading}". A release needs "## ${version}, not released yet": npm run release -- --next opens one.`,
    );
  if (!/^- \S/m.test(entries))
    throw new StartError(
      `CHANGELOG.md says nothing about ${version}. Add an entry for each change that users notice.`,
    );
  return changelog.replace(section, section.replace(heading, `${version}, ${date}`));
}

/**
 * Opens the section of the next release above the newest one.
 *
 * @throws {StartError} if the newest one is not released
 */
export function openSection(changelog: string, version: string): string {
  if (/^## .*not released yet/m.test(changelog))
    throw new StartError('CHANGELOG.md has a section that is not released yet. Release it first.');
  return changelog.replace(/^## /m, `## ${version}, not released yet\n\n## `);
}

/** @throws {StartError} if it is no number, or not later than the others */
export function ensureLater(version: string, others: readonly string[]): void {
  if (!VERSION.test(version))
    throw new StartError(`${version} is no release's number. It has three parts, such as 1.2.0.`);
  const earlier = others.find((other) => !isLater(version, other));
  if (earlier !== undefined) throw new StartError(`${version} does not come after ${earlier}.`);
}

function isLater(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => each.split('.').map(Number)) as [number[], number[]];
  const at = a.findIndex((part, place) => part !== b[place]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

/** The files that have the number, and their texts with another one. */
export const NUMBERED: Readonly<Record<string, (text: string, version: string) => string>> = {
  'package.json': withVersion,
  'package-lock.json': (text, version) => {
    const [own = '', ...rest] = text.split(/(?="": \{)/);
    return [withVersion(own, version), ...rest.map((each) => withVersion(each, version))].join('');
  },
  'packages/contracts/public/release.ts': (text, version) =>
    text.replace(/RELEASE = '[^']*'/, `RELEASE = '${version}'`),
};

function withVersion(text: string, version: string): string {
  return text.replace(/"version": "[^"]*"/, `"version": "${version}"`);
}
