/** A small outlined label for the kind of an item. */
import classes from './tag.module.css';

export interface TagProps {
  readonly look?: 'plain' | 'filled' | 'dashed';
  readonly children: string;
}

export function Tag({ look = 'plain', children }: TagProps) {
  return (
    <span className={classes.tag} data-look={look}>
      {children}
    </span>
  );
}
