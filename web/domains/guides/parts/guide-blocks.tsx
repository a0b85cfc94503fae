/** Renders a guide's blocks: parts and terms with anchors, code with the address of the server that shows it, links to other guides. */
import { Anchor, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { fillIn } from '#contracts/public/fill-in';
import { isLocalOrigin, LOCAL_INSTALL_NOTE } from '#contracts/public/install-command';
import { paths } from '#web/paths.ts';
import { CodeBlock } from '#web/ui/code/code-block.tsx';
import { anchorOf, type Block, type Inline } from './blocks.ts';
import classes from './guides.module.css';

export function GuideBlocks({ blocks }: { blocks: readonly Block[] }) {
  return partsOf(blocks).map(([first, ...rest]) => {
    if (first?.kind !== 'heading') return <Fragment key="">{[first, ...rest].map(shown)}</Fragment>;
    const id = anchorOf(first.text);
    return (
      <section key={id} id={id} className={classes.part} aria-labelledby={`${id}-title`}>
        <Title order={2} id={`${id}-title`} fz="1.0625rem">
          <Link to={{ hash: id }} replace className={classes.anchor}>
            {first.text}
          </Link>
        </Title>
        {rest.map(shown)}
      </section>
    );
  });
}

/** Each part begins with its heading. What comes before the first one has none. */
function partsOf(blocks: readonly Block[]): Block[][] {
  const parts: Block[][] = [[]];
  for (const block of blocks) {
    if (block.kind === 'heading' && block.level === 2) parts.push([]);
    parts.at(-1)?.push(block);
  }
  return parts;
}

function shown(block: Block | undefined, at: number): ReactNode {
  switch (block?.kind) {
    case 'heading':
      return (
        <Title key={at} order={3} id={anchorOf(block.text)} className={classes.term}>
          {block.text}
        </Title>
      );
    case 'text':
      return <p key={at}>{block.text.map(inline)}</p>;
    case 'list':
      return (
        <ul key={at}>
          {block.items.map((item, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a guide never changes.
            <li key={place}>{item.map(inline)}</li>
          ))}
        </ul>
      );
    case 'code':
      return (
        <CodeBlock
          key={at}
          label={block.file}
          head={<code>{block.file}</code>}
          code={fillIn(block.code, window.location.origin)}
        />
      );
    case 'localInstall':
      return isLocalOrigin(window.location.origin) ? <p key={at}>{LOCAL_INSTALL_NOTE}</p> : null;
    default:
      return null;
  }
}

function inline(part: Inline, at: number): ReactNode {
  if (typeof part === 'string') return part;
  if ('code' in part) return <code key={at}>{fillIn(part.code, window.location.origin)}</code>;
  if ('emphasis' in part) return <em key={at}>{part.emphasis}</em>;
  const [id, hash] = part.to.split('#');
  return (
    <Anchor
      key={at}
      component={Link}
      to={{ pathname: paths.docs(id), ...(hash && { hash }) }}
      inherit
      underline="always"
    >
      {part.text}
    </Anchor>
  );
}
