import { tessera } from './tessera';

const exportButton = document.querySelector<HTMLButtonElement>('#export');

/** Called for every change: the first answer, a renewed one, another user. */
function render(): void {
  const { access } = tessera.getState();
  if (exportButton !== null) exportButton.disabled = !access?.can('data-exports.exports');
}

render();
tessera.subscribe(render);
