/** One guide beside the navigation. All guides come with the page: together they are smaller than its frame. */
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import type { GuideId } from '#contracts/console/guide-list';
import { GuideNav } from './guide-nav.tsx';
import { blocks as commonjs } from './pages/commonjs.md';
import { blocks as concepts } from './pages/concepts.md';
import { blocks as context } from './pages/context.md';
import { blocks as errors } from './pages/errors.md';
import { blocks as express } from './pages/express.md';
import { blocks as fastify } from './pages/fastify.md';
import { blocks as hono } from './pages/hono.md';
import { blocks as lists } from './pages/lists.md';
import { blocks as nextjs } from './pages/nextjs.md';
import { blocks as openfeature } from './pages/openfeature.md';
import { blocks as outages } from './pages/outages.md';
import { blocks as overview } from './pages/overview.md';
import { blocks as react } from './pages/react.md';
import { blocks as selling } from './pages/selling.md';
import { blocks as signIn } from './pages/sign-in.md';
import { blocks as testing } from './pages/testing.md';
import { blocks as types } from './pages/types.md';
import { blocks as usage } from './pages/usage.md';
import { blocks as vite } from './pages/vite.md';
import { blocks as webhooks } from './pages/webhooks.md';
import type { Block } from './parts/blocks.ts';
import { GuideBlocks } from './parts/guide-blocks.tsx';
import classes from './parts/guides.module.css';

const articles: Readonly<Record<GuideId, readonly Block[]>> = {
  '': overview,
  concepts,
  nextjs,
  hono,
  express,
  fastify,
  vite,
  react,
  'sign-in': signIn,
  commonjs,
  openfeature,
  context,
  outages,
  lists,
  usage,
  selling,
  webhooks,
  errors,
  testing,
  types,
};

export function GuideArticle({ id }: { id: GuideId }) {
  useArrival(id);
  return (
    <div className={classes.layout}>
      <GuideNav current={id} />
      <article className={classes.article}>
        <GuideBlocks blocks={articles[id]} />
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
