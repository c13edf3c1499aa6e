import { Elysia } from 'elysia';
import { readFlash } from '../platform/site/handle-form.ts';
import { showAdd, takeUpload } from './add-item.page.tsx';
import { makeSale, replaceFiles, saveEdit, sendFolder, showEdit } from './edit-item.page.tsx';
import { EDITION_ACTS } from './edition.page.tsx';
import { sendHolderFile, showEditions, showItem } from './item.page.tsx';
import { reloadContent, showItems } from './items.page.tsx';
import { PUBLISH_KEY_ACTS } from './publish-key.page.tsx';
import type { Http } from './stall.ts';
import { sendState, takeBack, takePush } from './push.api.ts';

/** Returns the routes by which content comes in: pushes, uploads, and the owner's pages of items. */
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
    .guard({ owner: true }, (routes) =>
      routes
        .get('/admin/items', ({ query, owner }) => showItems(http, owner, query))
        .post('/admin/items/reindex', ({ owner }) => reloadContent(http, owner))
        .get('/admin/add', ({ owner }) => showAdd(http, owner, {}))
        .post('/admin/add', ({ request, owner }) => takeUpload(http, request, owner))
        .get('/admin/items/:slug/edit', ({ params, query, owner }) =>
          showEdit(http, owner, params.slug, { said: readFlash(query) }),
        )
        .post('/admin/items/:slug/edit', ({ request, params, owner }) =>
          saveEdit(http, request, owner, params.slug),
        )
        .post('/admin/items/:slug/replace', ({ request, params, owner }) =>
          replaceFiles(http, request, owner, params.slug),
        )
        .post('/admin/items/:slug/sell', ({ request, params, owner }) =>
          makeSale(http, request, owner, params.slug),
        )
        .get('/admin/items/:slug/folder.zip', ({ request, params, owner }) =>
          sendFolder(http, request, owner, params.slug),
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
