/** A value as JSON, below its title. */
import classes from './code.module.css';

export function JsonPart({ title, value }: { title: string; value: unknown }) {
  return (
    <section>
      <h3 className="muted tiny medium flush">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={classes.json} tabIndex={0}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </section>
  );
}
