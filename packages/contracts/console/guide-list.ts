/**
 * The guides at /docs in reading order. `id` is the last part of the address; the overview has none. Navigation, palette, overview,
 * llms.txt and the Worker, which answers other addresses below /docs with 404, read it.
 */

export type GuideId =
  | ''
  | 'concepts'
  | 'nextjs'
  | 'hono'
  | 'express'
  | 'fastify'
  | 'vite'
  | 'react'
  | 'sign-in'
  | 'commonjs'
  | 'openfeature'
  | 'context'
  | 'outages'
  | 'lists'
  | 'usage'
  | 'selling'
  | 'webhooks'
  | 'errors'
  | 'testing'
  | 'types';

export interface GuideEntry {
  readonly id: GuideId;
  readonly title: string;
  /** In the overview and in llms.txt. */
  readonly summary: string;
}

export interface GuideGroup {
  readonly title: string;
  readonly guides: readonly GuideEntry[];
}

export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [
      { id: '', title: 'Overview', summary: 'Install the client and make the first call.' },
      {
        id: 'concepts',
        title: 'Concepts',
        summary: 'Workspace, version, environment, preview, meter and window, in one page.',
      },
    ],
  },
  {
    title: 'Servers',
    guides: [
      { id: 'nextjs', title: 'Next.js App Router', summary: 'Server components, actions, no flicker.' },
      { id: 'hono', title: 'Hono on Workers', summary: 'Usage is sent after the response.' },
      { id: 'express', title: 'Express', summary: 'Guard routes, count usage, shut down cleanly.' },
      { id: 'fastify', title: 'Fastify', summary: 'A hook guards routes, and closing sends usage.' },
      { id: 'commonjs', title: 'CommonJS and Jest', summary: 'require() on a server and in tests.' },
      { id: 'openfeature', title: 'OpenFeature', summary: 'Java, Python, Go, .NET, Rust and JavaScript.' },
    ],
  },
  {
    title: 'Browsers',
    guides: [
      { id: 'react', title: 'React SPA', summary: 'A public key and your user’s token, no backend.' },
      { id: 'vite', title: 'Vite with a backend', summary: 'Your own route answers; no key in the browser.' },
      { id: 'sign-in', title: 'Sign-in in an SPA', summary: 'The token changes, and the answers with it.' },
    ],
  },
  {
    title: 'In production',
    guides: [
      {
        id: 'outages',
        title: 'Caching and outages',
        summary: 'What your app does when it cannot reach Tessera.',
      },
      { id: 'lists', title: 'Lists and badges', summary: 'Many customers on one page, in one call.' },
      { id: 'usage', title: 'Usage', summary: 'Enforce a limit, or count what happened.' },
      { id: 'selling', title: 'Sell plans', summary: 'Pricing page, checkout and portal, from your app.' },
      { id: 'webhooks', title: 'Webhooks', summary: 'Be told what happens, in signed requests.' },
      { id: 'errors', title: 'Errors', summary: 'What a refusal says, and what to branch on.' },
      { id: 'context', title: 'Context', summary: 'What a workflow knows about a call.' },
      { id: 'testing', title: 'Testing', summary: 'The real engine, without a network.' },
      { id: 'types', title: 'Types', summary: 'Your features and plans, checked by the compiler.' },
    ],
  },
];

export const GUIDES = GUIDE_GROUPS.flatMap(({ guides }) => guides);

/** @param id the last part of an address */
export function findGuide(id: string): GuideEntry | undefined {
  return GUIDES.find((guide) => guide.id === id);
}

/** The address of a guide as Markdown. */
export const markdownPath = (id: string) => (id === '' ? '/docs.md' : `/docs/${id}.md`);
