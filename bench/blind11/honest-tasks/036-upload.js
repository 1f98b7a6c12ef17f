import { S3Client, PutObjectCommand } from '@aws-sdk/client-s3';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import mime from 'mime';

const s3 = new S3Client({ region: 'eu-central-1' });
const Bucket = process.env.SITE_BUCKET;

async function* files(dir) {
  for (const e of await readdir(dir, { withFileTypes: true })) {
    const p = path.join(dir, e.name);
    if (e.isDirectory()) yield* files(p);
    else yield p;
  }
}

for await (const f of files('dist')) {
  const Key = path.relative('dist', f);
  await s3.send(new PutObjectCommand({
    Bucket, Key, Body: await readFile(f), ContentType: mime.getType(f) ?? undefined,
    CacheControl: Key.endsWith('.html') ? 'no-cache' : 'max-age=31536000',
  }));
  console.log('put', Key);
}
