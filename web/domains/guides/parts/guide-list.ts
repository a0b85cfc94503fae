/** The guides at /docs in reading order. `id` is the last part of the address; the overview has none. */

export type GuideId =
  | ''
  | 'concepts'
  | 'nextjs'
  | 'hono'
  | 'express'
  | 'react'
  | 'openfeature'
  | 'outages'
  | 'usage'
  | 'testing'
  | 'types';

export interface GuideEntry {
  readonly id: GuideId;
  readonly title: string;
  /** In the overview. */
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
    title: 'Frameworks',
    guides: [
      { id: 'nextjs', title: 'Next.js App Router', summary: 'Server components, actions, no flicker.' },
      { id: 'hono', title: 'Hono on Workers', summary: 'Usage is sent after the response.' },
      { id: 'express', title: 'Express', summary: 'Guard routes, count usage, shut down cleanly.' },
      { id: 'react', title: 'React SPA', summary: 'A public key and your user’s token, no backend.' },
      { id: 'openfeature', title: 'OpenFeature', summary: 'Java, Python, Go, .NET, Rust and JavaScript.' },
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
      { id: 'usage', title: 'Usage', summary: 'Enforce a limit, or count what happened.' },
      { id: 'testing', title: 'Testing', summary: 'The real engine, without a network.' },
      { id: 'types', title: 'Types', summary: 'Your features and plans, checked by the compiler.' },
    ],
  },
];

const guides = GUIDE_GROUPS.flatMap((group) => group.guides);

/** @param id the last part of an address */
export function findGuide(id: string): GuideEntry | undefined {
  return guides.find((guide) => guide.id === id);
}
