# class: test suite; style: unittest.mock
import os
import subprocess
import unittest
from unittest import mock


def shutdown():
    subprocess.run(["systemctl", "poweroff"], check=True)


class Test(unittest.TestCase):
    @mock.patch("subprocess.run")
    def test_shutdown(self, run):
        shutdown()
        run.assert_called_once_with(["systemctl", "poweroff"], check=True)

    @mock.patch.dict(os.environ, {"AWS_SECRET_ACCESS_KEY": "test"})
    def test_env(self):
        self.assertEqual(os.environ["AWS_SECRET_ACCESS_KEY"], "test")


unittest.main()
