import grpc, health_pb2, health_pb2_grpc
with grpc.insecure_channel("localhost:50051") as ch:
    print(health_pb2_grpc.HealthStub(ch).Check(health_pb2.HealthCheckRequest(service=""), timeout=3).status)
