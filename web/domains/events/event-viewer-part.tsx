/** The event viewer, whose code is loaded when an event opens. */
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import type { EventViewerProps } from './event-viewer.tsx';

const eventViewer = codeApart(async () => (await import('./event-viewer.tsx')).EventViewer);

export function EventViewerPart(props: EventViewerProps) {
  return <OptionalPart code={eventViewer} props={props} onFailure={props.onClose} />;
}
