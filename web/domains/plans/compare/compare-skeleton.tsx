/** The comparison while it loads: a head and rows of the same height. */
import { Skeleton } from '@mantine/core';
import classes from './compare.module.css';

const ROWS = [160, 120, 140, 180, 110, 150, 130, 170];
const COLUMNS = ['one', 'two', 'three'];

export function CompareSkeleton() {
  return (
    <div className={`card clip ${classes.skeleton}`} role="status" aria-label="Loading the comparison">
      <div className={classes.bar}>
        <Skeleton height={32} width={300} maw="100%" />
      </div>
      {ROWS.map((width) => (
        <div key={width} className={classes.row}>
          <div className={classes.name}>
            <Skeleton height={13} width={width} maw="100%" />
          </div>
          {COLUMNS.map((column) => (
            <div key={column} className={classes.cell} style={{ padding: '13px 12px' }}>
              <Skeleton height={13} width={60} />
            </div>
          ))}
          <span aria-hidden />
        </div>
      ))}
    </div>
  );
}
