import google.auth, googleapiclient.discovery
creds, _ = google.auth.default(scopes=["https://www.googleapis.com/auth/spreadsheets.readonly"])
svc = googleapiclient.discovery.build("sheets", "v4", credentials=creds)
print(svc.spreadsheets().values().get(spreadsheetId="1abc", range="A1:C10").execute()["values"])
