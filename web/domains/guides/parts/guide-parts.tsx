/** What guides are written with: parts with anchors, code, links to other guides. */
import { Anchor, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import type { GuideId } from './guide-list.ts';
import classes from './guides.module.css';

/** The server's address in the code of examples/guides. */
const EXAMPLE_ORIGIN = 'https://tessera.example';

/** 'After a checkout' → 'after-a-checkout' */
export const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = anchorOf(title);
  return (
    <section id={id} className={classes.part} aria-labelledby={`${id}-title`}>
      <Title order={2} id={`${id}-title`} fz="1.0625rem">
        <Link to={{ hash: id }} replace className={classes.anchor}>
          {title}
        </Link>
      </Title>
      {children}
    </section>
  );
}

export interface SnippetProps {
  /** The file's name and place in the reader's project. */
  readonly file: string;
  /** Its text, from examples/guides. */
  readonly code: string;
}

/** A whole file, with the address of the server that shows it. */
export function Snippet({ file, code }: SnippetProps) {
  return (
    <CodeBlock
      label={file}
      head={<code>{file}</code>}
      code={code.trimEnd().replaceAll(EXAMPLE_ORIGIN, window.location.origin)}
    />
  );
}

export function GuideLink({ to, children }: { to: GuideId; children: ReactNode }) {
  return (
    <Anchor component={Link} to={paths.docs(to)} inherit underline="always">
      {children}
    </Anchor>
  );
}

/** Terms beside what they mean, each with an anchor. */
export function Terms({ terms }: { terms: readonly (readonly [term: string, meaning: ReactNode])[] }) {
  return (
    <dl className={classes.terms}>
      {terms.map(([term, meaning]) => (
        <div key={term} id={anchorOf(term)} style={{ scrollMarginTop: 68 }}>
          <dt>{term}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
