/** Renders plain text as paragraphs, separated by blank lines. */
import classes from './operation.module.css';

export function Prose({ text }: { text: string }) {
  return (
    <div className={classes.prose}>
      {text.split('\n\n').map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  );
}
