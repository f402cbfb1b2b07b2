package dev.kudu4j.client;

/** A server rejected a call at the RPC level, without a response of the called method. */
public final class RpcRemoteException extends NonRecoverableException {
  private static final long serialVersionUID = 1L;

  RpcRemoteException(Status status, Throwable cause) {
    super(status, cause);
  }
}
