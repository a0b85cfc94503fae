curl https://tessera.example/ofrep/v1/evaluate/flags/data-exports \
  -H "Authorization: Bearer $TESSERA_KEY" \
  -H "Content-Type: application/json" \
  -d '{ "context": { "targetingKey": "ada@example.com" } }'
