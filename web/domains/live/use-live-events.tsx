/** Listening to an organisation's events. The code that listens is loaded once that is wanted: pages are shown before. */
import { type ReactNode, useState } from 'react';
import { codeApart, LoadedApart, useOptionalCode } from '#web/ui/loading/loaded-apart.tsx';
import type { LiveListenerProps } from './live-listener.tsx';

const liveListener = codeApart(async () => (await import('./live-listener.tsx')).LiveListener);

export interface LiveSource extends Omit<LiveListenerProps, 'onListening'> {
  readonly isOn: boolean;
}

export interface LiveEvents {
  readonly status: 'Not listening' | 'Connecting' | 'Listening';
  /** Render it: it shows nothing, and listens while it is rendered. */
  readonly listener: ReactNode;
}

export function useLiveEvents({ isOn, ...source }: LiveSource): LiveEvents {
  const [isListening, setListening] = useState(false);
  const isLoaded = useOptionalCode(liveListener, isOn, () => source.onEnd(null));
  return {
    status: !isOn ? 'Not listening' : isListening ? 'Listening' : 'Connecting',
    listener: isOn && isLoaded && (
      <LoadedApart code={liveListener} props={{ ...source, onListening: setListening }} />
    ),
  };
}
