/** Navigation between the guides: a column at the left on wide screens, one scrolling line above the text on others. */
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { GUIDE_GROUPS, type GuideId } from '#contracts/console/guide-list';
import { paths } from '#web/paths.ts';
import classes from './parts/guides.module.css';

export function GuideNav({ current }: { current: GuideId }) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another guide is another current link.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (link) nav.current?.scrollTo({ left: link.offsetLeft - 24 });
  }, [current]);
  return (
    <nav ref={nav} aria-label="Guides" className={classes.nav}>
      <div className={classes.groups}>
        {GUIDE_GROUPS.map(({ title, guides }) => (
          <div key={title}>
            <div className={classes.groupTitle} id={`guides-${title}`}>
              {title}
            </div>
            <ul className={classes.entries} aria-labelledby={`guides-${title}`}>
              {guides.map(({ id, title: label }) => (
                <li key={id}>
                  <Link
                    to={paths.docs(id)}
                    className={classes.entry}
                    aria-current={id === current ? 'page' : undefined}
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}
