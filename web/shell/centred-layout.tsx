/** Layout of the pages before sign-in: the logo and one centred card on a mosaic background. */
import { Outlet } from 'react-router';
import { Mark } from '#web/ui/mark.tsx';
import { Mosaic } from '#web/ui/mosaic.tsx';
import classes from './centred-layout.module.css';
import { ThemeToggle } from './theme-toggle.tsx';

export function CentredLayout() {
  return (
    <div className={classes.page}>
      <div className={classes.ground} aria-hidden="true">
        <Mosaic columns={56} rows={34} seed={4} density={0.14} />
      </div>
      <div className={classes.corner}>
        <ThemeToggle />
      </div>
      <main className={classes.middle}>
        <div className={classes.brand}>
          <Mark size={26} />
          <span>Tessera</span>
        </div>
        <Outlet />
      </main>
    </div>
  );
}
