/** One guide beside the navigation. All guides come with the page: together they are smaller than its frame. */
import { type ComponentType, useEffect } from 'react';
import { useLocation } from 'react-router';
import { GuideNav } from './guide-nav.tsx';
import { Concepts } from './pages/concepts.tsx';
import { ExpressGuide } from './pages/express.tsx';
import { HonoGuide } from './pages/hono.tsx';
import { NextGuide } from './pages/nextjs.tsx';
import { OpenFeatureGuide } from './pages/openfeature.tsx';
import { OutagesGuide } from './pages/outages.tsx';
import { Overview } from './pages/overview.tsx';
import { ReactGuide } from './pages/react.tsx';
import { TestingGuide } from './pages/testing.tsx';
import { TypesGuide } from './pages/types.tsx';
import { UsageGuide } from './pages/usage.tsx';
import type { GuideId } from './parts/guide-list.ts';
import classes from './parts/guides.module.css';

const articles: Readonly<Record<GuideId, ComponentType>> = {
  '': Overview,
  concepts: Concepts,
  nextjs: NextGuide,
  hono: HonoGuide,
  express: ExpressGuide,
  react: ReactGuide,
  openfeature: OpenFeatureGuide,
  outages: OutagesGuide,
  usage: UsageGuide,
  testing: TestingGuide,
  types: TypesGuide,
};

export function GuideArticle({ id }: { id: GuideId }) {
  useArrival(id);
  const Article = articles[id];
  return (
    <div className={classes.layout}>
      <GuideNav current={id} />
      <article className={classes.article}>
        <Article />
      </article>
    </div>
  );
}

/** A link to a part can be followed before the part is rendered: scrolls to it once it is. */
function useArrival(id: GuideId): void {
  const { hash } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per guide; the router follows later links.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [id]);
}
