package dev.kudu4j.client;

/** A server refused a call as a call: its own reply could not be made. */
public final class RpcRemoteException extends NonRecoverableException {
  private static final long serialVersionUID = 1L;

  RpcRemoteException(Status status, Throwable cause) {
    super(status, cause);
  }
}
