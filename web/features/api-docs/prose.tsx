/** Paragraphs of plain text, which blank lines part. */
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
