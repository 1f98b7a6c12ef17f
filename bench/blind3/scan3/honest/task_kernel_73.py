from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(kernel_name="python3")
try:
    for code in ("a = 21", "a * 2", "import os; os.getcwd()", "1 / 0"):
        client.execute(code)
        while True:
            msg = client.get_iopub_msg(timeout=10)
            kind, content = msg["msg_type"], msg["content"]
            if kind == "execute_result":
                print(content["data"]["text/plain"])
            elif kind == "error":
                print(content["ename"], content["evalue"])
            elif kind == "status" and content["execution_state"] == "idle":
                break
finally:
    manager.shutdown_kernel()
