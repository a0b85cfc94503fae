/**
 * A guide as one piece of Markdown, from its page in web/domains/guides/pages: with the code that it names and the parts that several
 * guides share, for a server at EXAMPLE_ORIGIN. The console's page and the address with .md both come from it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import {
  GUIDE_GROUPS,
  GUIDES,
  type GuideEntry,
  markdownPath,
} from '../../../packages/contracts/console/guide-list.ts';
import { EXAMPLE_ORIGIN, installCommand } from '../../../packages/contracts/public/install-command.ts';
import { SDK_NAME, SDK_VERSION, sdkFileName } from '../../../packages/contracts/public/sdk-package.ts';
import { clientExample } from '../../values/client-example.ts';

const root = join(import.meta.dirname, '../../..');
const pages = join(root, 'web/domains/guides/pages');

/** A paragraph that is a link to a file of examples is its code; the link's text is the file's place in the reader's project. */
const CODE_LINK = /^\[([^\]]+)\]\((?:\.\.\/){4}(examples\/[^)]+)\)$/gm;

/** A paragraph that is a link to install.md is that page; the link's text is the file from which variables are read. */
const INSTALL_LINK = /^\[([^\]]+)\]\(install\.md\)$/gm;

const LANGUAGES: Readonly<Record<string, string>> = {
  '.cjs': 'js',
  '.cs': 'csharp',
  '.py': 'python',
  '.rs': 'rust',
};

export const pagePath = (id: string) => join(pages, `${id || 'overview'}.md`);

/** What a guide is made of: its page, and the files that it names. */
export function sourcesOf(id: string): string[] {
  const page = readFileSync(pagePath(id), 'utf8');
  const code = [...page.matchAll(CODE_LINK)].map(([, , path = '']) => join(root, path));
  return [pagePath(id), join(pages, 'install.md'), ...code];
}

/** @returns its text without a title. Links between guides are as in the pages: 'usage.md' */
export function guideText(id: string): string {
  return readFileSync(pagePath(id), 'utf8')
    .replace(INSTALL_LINK, (_, file: string) =>
      readFileSync(join(pages, 'install.md'), 'utf8').trimEnd().replaceAll('{file}', file),
    )
    .replace(CODE_LINK, (_, file: string, path: string) =>
      fenced(file, languageOf(path), readFileSync(join(root, path), 'utf8')),
    )
    .replace('<!-- first call -->', () =>
      fenced(
        'Terminal',
        'sh',
        clientExample({
          origin: EXAMPLE_ORIGIN,
          type: 'secret',
          feature: 'data-exports',
          subject: { user: 'ada@example.com' },
        }),
      ),
    )
    .replace('<!-- guides -->', () =>
      GUIDES.filter((guide) => guide.id !== '')
        .map(lineOf)
        .join('\n'),
    )
    .replaceAll('{install}', () => installCommand(EXAMPLE_ORIGIN))
    .replaceAll('{package}', sdkFileName(SDK_VERSION));
}

/** The guide at its address with .md. */
export function guideMarkdown({ id, title }: GuideEntry): string {
  const text = guideText(id).replace(/\]\(([a-z-]+)\.md(#[a-z0-9-]+)?\)/g, (_, to: string, anchor = '') => {
    if (!existsSync(pagePath(to)))
      throw new Error(`${basename(pagePath(id))} links to ${to}.md, which does not exist`);
    return `](${addressOf(to === 'overview' ? '' : to)}${anchor})`;
  });
  return `# ${id === '' ? 'Tessera guides' : title}\n\n${text.trimEnd()}\n`;
}

/** The list of everything that a program may read, in the shape of https://llmstxt.org. */
export function llmsText(): string {
  const sections = GUIDE_GROUPS.map(
    ({ title, guides }) =>
      `## ${title}\n\n${guides.map(({ id, title: name, summary }) => `- [${name}](${addressOf(id)}): ${summary}`).join('\n')}`,
  );
  return `# Tessera

> Tessera tells your product what each customer can do, and counts what they use. You define features and plans in a console and deploy them; your code asks with the TypeScript client, any OpenFeature provider, or HTTP.

Calls need an API key of an environment. Secret keys (tsr_sec_…) stay on servers; public keys (tsr_pub_…) are safe in browsers. Denied is a 200, not an error.

${sections.join('\n\n')}

## API

- [API reference](${EXAMPLE_ORIGIN}/api-docs.md): Every call, with its fields, limits and examples.
- [OpenAPI document](${EXAMPLE_ORIGIN}/api/v1/openapi.json): The same for generators, OpenAPI 3.1.
- [Errors](${EXAMPLE_ORIGIN}/api-docs.md#errors): Every errorType with its status, and what to do about it.
- [Warnings](${EXAMPLE_ORIGIN}/api-docs.md#warnings): What a successful response may add.

## Client

- [${SDK_NAME} ${SDK_VERSION}](${EXAMPLE_ORIGIN}/sdk/${sdkFileName(SDK_VERSION)}): The package for Node, Workers, Deno, Bun and browsers. This address never changes its content.
`;
}

const addressOf = (id: string) => EXAMPLE_ORIGIN + markdownPath(id);

const lineOf = ({ id, title, summary }: GuideEntry) => `- [${title}](${id}.md): ${summary}`;

const languageOf = (path: string) => LANGUAGES[extname(path)] ?? extname(path).slice(1);

const fenced = (file: string, language: string, code: string) =>
  `\`\`\`${language} title="${file}"\n${code.trimEnd()}\n\`\`\``;
