import { Elysia } from 'elysia';
import { readFlash } from '../platform/site/handle-form.ts';
import { showAdd, showMade, takeUpload } from './add-item.page.tsx';
import { changeFiles, makeSale, replaceFiles, saveEdit, sendFolder, showEdit } from './edit-item.page.tsx';
import { EDITION_ACTS } from './edition.page.tsx';
import { sendHolderFile, showEditions, showItem } from './item.page.tsx';
import { reloadContent, showItems, showKeptItems } from './items.page.tsx';
import { saveText, showText } from './item-yaml.page.tsx';
import { PUBLISH_KEY_ACTS } from './publish-key.page.tsx';
import type { Http } from './stall.ts';
import { sendState, takeBack, takePush } from './push.api.ts';

export const publishing = (http: Http) =>
  new Elysia()
    .use(http.guards)
    .guard({ publish: true }, (routes) =>
      routes
        .get('/api/publish/:kind/:slug', ({ params, publisher }) => sendState(http.stall, publisher, params))
        .put('/api/publish/:kind/:slug', ({ request, params, query, publisher }) =>
          takePush(http.stall, request, { publisher, params, query }),
        )
        .delete('/api/publish/:kind/:slug', ({ request, params, publisher }) =>
          takeBack(http.stall, request, publisher, params),
        ),
    )
    .guard({ editor: true }, (routes) =>
      routes
        .get('/admin/items', ({ query, editor }) =>
          editor.isOwner ? showItems(http, editor, query) : showKeptItems(http, editor, readFlash(query)),
        )
        .get('/admin/add', ({ query, editor }) =>
          'made' in query ? showMade(http, editor) : showAdd(http, editor, {}),
        )
        .post('/admin/add', ({ request, editor }) => takeUpload(http, request, editor))
        .get('/admin/items/:slug/edit', ({ params, query, editor }) =>
          showEdit(http, editor, params.slug, { said: readFlash(query) }),
        )
        .post('/admin/items/:slug/edit', ({ request, params, editor }) =>
          saveEdit(http, request, editor, params.slug),
        )
        .post('/admin/items/:slug/replace', ({ request, params, editor }) =>
          replaceFiles(http, request, editor, params.slug),
        )
        .get('/admin/items/:slug/text', ({ params, query, editor }) =>
          showText(http, editor, params.slug, { said: readFlash(query) }),
        )
        .post('/admin/items/:slug/text', ({ request, params, editor }) =>
          saveText(http, request, editor, params.slug),
        )
        .post('/admin/items/:slug/files', ({ request, params, editor }) =>
          changeFiles(http, request, editor, params.slug),
        )
        .get('/admin/items/:slug/folder.zip', ({ request, params, editor }) =>
          sendFolder(http, request, editor, params.slug),
        ),
    )
    .guard({ owner: true }, (routes) =>
      routes
        .post('/admin/items/reindex', ({ owner }) => reloadContent(http, owner))
        .post('/admin/items/:slug/sell', ({ request, params, owner }) =>
          makeSale(http, request, owner, params.slug),
        )
        .get('/admin/items/:slug', ({ params, query, owner }) => showItem(http, owner, params.slug, query))
        .get('/admin/items/:slug/holders.csv', ({ request, params, query }) =>
          sendHolderFile(http, request, params.slug, query),
        )
        .get('/admin/items/:slug/editions', ({ params, query, owner }) =>
          showEditions(http, owner, params.slug, query),
        ),
    )
    .use([...EDITION_ACTS, ...PUBLISH_KEY_ACTS].map((routes) => routes(http)));
