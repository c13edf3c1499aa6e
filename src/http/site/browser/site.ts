import { askFirst } from './confirm.ts';
import { serveCopyButtons } from './copy.ts';
import { takeFragment } from './fragment.ts';
import { showLocalTimes } from './local-time.ts';
import { showOpenChapter, turnByArrows } from './reader.ts';
import { sendOnce } from './send-once.ts';
import { applyTheme, serveThemeButton } from './theme.ts';

// Runs before the body is read, so that nothing is drawn in the wrong colours or moves when a button appears.
document.documentElement.dataset['script'] = '';
applyTheme();

document.addEventListener('DOMContentLoaded', () => {
  serveThemeButton();
  serveCopyButtons();
  showLocalTimes();
  askFirst();
  // After the question: an unconfirmed form was not sent.
  sendOnce();
  takeFragment();
  showOpenChapter();
  turnByArrows();
});
