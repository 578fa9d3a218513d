"""Plain HTTP as usual client libraries speak it: one connection for many requests, all framings."""

import http.client
import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
import requests

MIB = 1024 * 1024
HANG_BOUND_S = 60.0


@pytest.fixture
def session():
    with requests.Session() as http_session:
        http_session.trust_env = False  # no proxy
        yield http_session


def echoed(response):
    assert response.status_code == 200
    return response.json()["observation"]["echoed_message"]


def action(message):
    return {"action": {"message": message}}


def test_many_requests_on_one_connection(echo_url):
    address = urlsplit(echo_url)
    connection = http.client.HTTPConnection(
        address.hostname, address.port, timeout=HANG_BOUND_S
    )
    connection.connect()
    first_socket = connection.sock
    headers = {"Content-Type": "application/json"}
    for method, path, body, status in [
        ("GET", "/health", None, 200),
        ("HEAD", "/health", None, 405),
        ("POST", "/reset", "{}", 200),
        ("POST", "/reset", None, 200),
        ("POST", "/reset", '{"seed":-1}', 422),
        ("POST", "/step", "{bad", 422),
        ("GET", "/nope", None, 404),
        ("POST", "/nope", "{}", 404),
        ("DELETE", "/state", None, 405),
        ("GET", "/ws", None, 404),
        ("POST", "/mcp", "{}", 200),
        ("GET", "/schema", None, 200),
    ] * 3:
        connection.request(method, path, body, headers if body else {})
        response = connection.getresponse()
        response.read()
        assert (method, path, response.status) == (method, path, status)
        assert connection.sock is first_socket, f"closed after {method} {path}"
    connection.close()


def test_body_in_chunks(echo_url, session):
    def pieces():
        yield b'{"action":{"mess'
        yield b'age":"'
        yield "Zoë".encode()
        yield b'"}}'

    headers = {"Content-Type": "application/json"}
    response = session.post(f"{echo_url}/step", data=pieces(), headers=headers)
    assert echoed(response) == "Zoë"


def test_client_that_waits_for_100_continue(echo_url):
    address = urlsplit(echo_url)
    body = b'{"action":{"message":"hi"}}'
    with socket.create_connection((address.hostname, address.port), HANG_BOUND_S) as raw:
        raw.sendall(
            b"POST /step HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Expect: 100-continue\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body)
        )
        reader = raw.makefile("rb")
        assert reader.readline().split()[1] == b"100"
        assert reader.readline() == b"\r\n"
        raw.sendall(body)
        assert reader.readline().split()[1] == b"200"
        assert b'"echoed_message":"hi"' in reader.read()


def test_body_of_10_mib(echo_url, session):
    message = "x" * (10 * MIB)
    assert echoed(session.post(f"{echo_url}/step", json=action(message))) == message


def test_redirect_of_a_trailing_slash_keeps_the_request(echo_url, session):
    assert echoed(session.post(f"{echo_url}/step/", json=action("hi"))) == "hi"
    assert session.get(f"{echo_url}/health/").json() == {"status": "healthy"}


def test_requests_at_the_same_time(echo_url):
    def post(number):
        with requests.Session() as http_session:
            http_session.trust_env = False
            return echoed(http_session.post(f"{echo_url}/step", json=action(str(number))))

    with ThreadPoolExecutor(16) as pool:
        numbers = range(64)
        assert list(pool.map(post, numbers)) == [str(number) for number in numbers]
